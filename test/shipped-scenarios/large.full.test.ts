import { describePlay, largeStories } from './described-play.js'

describePlay(largeStories)
