export { RunError, refuseSilence } from './errors.js'
export { loadStory, type StoryOptions } from './load-story.js'
export { jobsFor, type PlansWatcher, type RunPlansOptions, runPlans } from './plans.js'
export { type Play, play, type ServedPlay, wasPlayed } from './play.js'
