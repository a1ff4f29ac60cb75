import { render } from 'preact'
import type { Recording } from '../reports/index.js'
import { App } from './app.js'
import { clock, exchangeLines, source } from './live-state.js'
import { createRecordedSource, recording } from './recorded-source.js'
import './style.css'

const root = document.getElementById('app') as HTMLElement
const text = document.getElementById('recording')?.textContent ?? ''
const data = JSON.parse(text) as Recording
recording.value = data
source.value = createRecordedSource(data)
clock.value = { now: data.world.now, mode: data.world.clock }
void source.value.lines().then((lines) => {
  exchangeLines.value = lines
})
if (location.hash === '') location.hash = '#/report'
render(<App />, root)
