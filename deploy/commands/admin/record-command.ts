/** The commands that change something are in the audit log. Reference: docs/reference/sessions.md#audit-log. */
import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { recordAction } from '@platen/runtime/record-action.ts'

interface Command<Result> {
  /** The organizations whose logs get it. */
  org?: string | string[] | undefined
  /** The log of each organization of this user gets it. */
  email?: string
  target?: string
  mode?: string | undefined
  getCreated?: (result: Result) => string | undefined
}

/**
 * Runs a command as an action of the operator.
 *
 * @param action the name of its RPC.
 * @throws ApiError if it cannot be recorded; it then does not run. What `run` throws.
 */
export async function recordCommand<Result>(
  accounts: Client<typeof AccountsService>,
  action: string,
  { org, email, target, mode, getCreated }: Command<Result>,
  run: () => Promise<Result>,
): Promise<Result> {
  const recording = {
    accounts,
    log: { logIds: org === undefined ? [] : [org].flat(), userEmail: email },
    action: { actorKind: 'operator', actorName: 'operator', action, target, mode },
    getCreated,
    // The command has happened and can have a key to show, so this is no error of it.
    onUnrecorded: (error: Error) => console.error(`The outcome is not in the audit log: ${error.message}`),
  }
  return await recordAction(recording, run)
}
