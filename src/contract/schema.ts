/** The one door to zod; everything that describes a shape comes through here. */
export { z } from 'zod'
