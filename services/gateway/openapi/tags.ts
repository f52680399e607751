/** The groups that the OpenAPI document shows operations in, in this order. */
export const TAGS = {
  'Print jobs': 'Send documents to printers and follow them.',
  Printers: 'What agents have reported, and your settings for it.',
  Computers: 'The computers that run the agent.',
  Webhooks: 'Events that are sent to your URLs as they happen.',
  Events: 'Facts about print jobs, computers and printers: the same events that webhooks deliver, as a list to poll.',
  Account: 'Your key, your organization and what it uses.',
} as const

export type Tag = keyof typeof TAGS
