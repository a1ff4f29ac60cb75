import { render } from 'preact'
import type { Recording } from '../runs/reports/index.js'
import { App } from './app.js'
import { showRecording } from './recorded-source.js'
import './style.css'
import './screens/screens.css'

// Empty in the page of a server; a report is the same page with its recording in it.
const text = document.getElementById('recording')?.textContent ?? ''
if (text !== '') showRecording(JSON.parse(text) as Recording)
render(<App />, document.getElementById('app') as HTMLElement)
