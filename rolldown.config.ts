import { defineConfig } from 'rolldown'
import { bundles } from './build/bundles.js'

export default defineConfig(bundles('dist'))
