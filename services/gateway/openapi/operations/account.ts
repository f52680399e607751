/** Source: specification, "Other endpoints"; decisions, "Identity and limits". */
import type { Descriptions } from '../description.ts'

export const ACCOUNT_OPERATIONS: Descriptions = {
  whoami: {
    tag: 'Account',
    summary: 'Check a key',
    description: 'Confirms the key, and tells its organization, mode and scopes.',
    success: { status: 200, description: 'Who makes the request.', schema: 'Identity' },
  },
  getUsage: {
    tag: 'Account',
    summary: 'Read the usage',
    description:
      'What the organization has used in the current calendar month, in UTC, and what its plan allows. A test key sees the live usage too.',
    success: { status: 200, description: 'The usage of the current period.', schema: 'Usage' },
  },
}
