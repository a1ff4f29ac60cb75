/** What generated mail is about, at large: the kinds of `generate: { kinds: ... }`. */
export const storyCategories = [
  'support',
  'sales',
  'newsletters',
  'receipts',
  'calendar',
  'bounces',
  'spam',
] as const

/** One of `support`, `sales`, `newsletters`, `receipts`, `calendar`, `bounces` and `spam`. */
export type StoryCategory = (typeof storyCategories)[number]
