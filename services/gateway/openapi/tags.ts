/** The groups that the OpenAPI document shows operations in, in this order. */
export const TAGS = {
  'Print jobs': 'Send documents to printers and follow them.',
  Printers: 'The printers that agents report, and your settings for them.',
  Destinations: 'Roles such as `kitchen`, whose jobs are printed by one of several printers.',
  Previews: 'Pictures of labels and receipts before they are printed.',
  Computers: 'The computers that run the agent.',
  Webhooks: 'Events that are sent to your URLs at once.',
  Events: 'Facts about print jobs, computers and printers. The list has the same events that webhooks deliver.',
  'Print access': 'Secrets with which computers print on shared printers by IPP.',
  Account: 'Your key, your organization and its usage.',
} as const

export type Tag = keyof typeof TAGS
