import { render } from 'preact'
import { App } from './app.js'
import { showRecordingIn } from './recorded-source.js'
import './style.css'

// Empty in the page of a server; a report is the same page with its recording in it.
const text = document.getElementById('recording')?.textContent ?? ''
if (text !== '') showRecordingIn(text)
render(<App />, document.getElementById('app') as HTMLElement)
