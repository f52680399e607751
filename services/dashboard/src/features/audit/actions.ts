/** What an entry of the log of an organization means: "created the key". The target follows. */
export const ACTIONS: Record<string, string> = {
  acceptInvitation: 'accepted the invitation',
  addMember: 'added the member',
  addNetworkPrinter: 'added a network printer to the computer',
  askPrinter: 'asked a printer for its language at the computer',
  cancelPrintJob: 'cancelled the job',
  cancelPrintJobBatch: 'cancelled the batch',
  collectDiagnostics: 'collected diagnostics of the computer',
  createApiKey: 'created the key',
  createDestination: 'created the destination',
  createEnrollment: 'created the enrolment token',
  createInvitation: 'invited',
  createOrganization: 'created this organization',
  createSignInCode: 'created a sign-in code for',
  createWebhook: 'created the webhook endpoint',
  deleteComputer: 'deleted the computer',
  deleteDestination: 'deleted the destination',
  deleteEnrollment: 'revoked the enrolment token',
  deleteOrganization: 'deleted this organization',
  deleteWebhook: 'deleted the webhook endpoint',
  enrollAgent: 'enrolled the computer',
  findNetworkPrinters: 'searched for network printers of the computer',
  finishSignIn: 'signed in',
  getPrintJobDocument: 'read the document of the job',
  leaveOrganization: 'left this organization',
  pauseComputer: 'paused the computer',
  createPrintAccess: 'created the print access',
  revokePrintAccess: 'revoked the print access',
  purgePrinter: 'cancelled all jobs of the printer',
  removeMember: 'removed the member',
  removeNetworkPrinter: 'removed a network printer of the computer',
  removeUser: 'removed the user',
  replayWebhookDeliveries: 'replayed deliveries of the webhook endpoint',
  replayWebhookDelivery: 'replayed a delivery of the webhook endpoint',
  requireSignIn: 'required a new sign-in of',
  resumeComputer: 'resumed the computer',
  resumeOrganization: 'resumed this organization',
  revokeApiKey: 'revoked the key',
  rotateWebhookKey: 'replaced the key that encrypts webhook secrets',
  rotateWebhookSecret: 'rotated the secret of the webhook endpoint',
  setPlan: 'set the plan',
  setPrinterLanguage: 'set the language of the printer',
  suspendOrganization: 'suspended this organization',
  testWebhook: 'sent a test to the webhook endpoint',
  updateAgent: 'started the update of the agent of the computer',
  updateDestination: 'changed the destination',
  updateMember: 'changed the role of',
  updateOrganization: 'changed this organization',
  updatePrinter: 'changed the printer',
  updateWebhook: 'changed the webhook endpoint',
  withdrawInvitation: 'withdrew the invitation of',
}

/** Only in the log of a user. */
const OWN_ACTIONS: Record<string, string> = {
  declineInvitation: 'declined the invitation',
  endOtherSessions: 'ended all other sessions',
  endSession: 'ended the session',
  signOut: 'signed out',
}

/** Actions about the actor or the organization itself, whose target says nothing more. */
export const WITHOUT_TARGET = new Set([
  'createOrganization',
  'deleteOrganization',
  'endOtherSessions',
  'finishSignIn',
  'leaveOrganization',
  'resumeOrganization',
  'rotateWebhookKey',
  'setPlan',
  'signOut',
  'suspendOrganization',
  'updateOrganization',
])

/**
 * @returns words for the name of an operation: "createApiKey" is "created the key", and "has not created the key" after
 *   an error.
 */
export function describeAction({ action, outcome }: { action: string; outcome: string | null }): string {
  const words =
    ACTIONS[action] ?? OWN_ACTIONS[action] ?? action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return outcome === 'ok' || outcome === null ? words : `has not ${words.replace(/^withdrew/, 'withdrawn')}`
}

/** @param outcome an error code, or null. */
export const describeOutcome = (outcome: string | null): string => outcome?.replaceAll('_', ' ') ?? 'outcome unknown'

/** @returns words for a choice: "createApiKey" is "Created the key …". */
function nameAction(action: string): string {
  const words = describeAction({ action, outcome: 'ok' })
  return words.charAt(0).toUpperCase() + words.slice(1) + (WITHOUT_TARGET.has(action) ? '' : ' …')
}

/** For a choice, in the order of their words. */
export const ACTION_NAMES = Object.keys(ACTIONS)
  .map((action) => ({ action, name: nameAction(action) }))
  .toSorted((a, b) => a.name.localeCompare(b.name))
