/** The scenario of these tests: a desk with two unread threads, the older of which is after a page of read ones. */
export const desk = {
  scenario: 'desk',
  identities: [
    {
      handle: 'support',
      display_name: 'Support',
      threads: [
        {
          subject: 'Broken lamp',
          messages: [{ at: '-90d', from: 'Ann Lee <ann@example.com>', text: 'It came broken.' }],
        },
        {
          subject: 'Refund',
          messages: [
            { at: '-2h', from: 'Bob Ray <bob@example.com>', text: 'Where is my money?' },
            { at: '-1h', from: 'Bob Ray <bob@example.com>', text: 'Any news?' },
          ],
        },
      ],
      generate: { threads: 60, unread: 0, over: '30d' },
    },
  ],
}
