/**
 * The operations of the dashboard for users, sessions and settings, below `/account`. They accept only sessions and are not a part of the
 * public API or its document. The application imports the types of their answers.
 */
import { endOtherSessions } from './account/end-other-sessions.ts'
import { endSession } from './account/end-session.ts'
import { finishSignIn } from './account/finish-sign-in.ts'
import { getSession } from './account/get-session.ts'
import { listSessions } from './account/list-sessions.ts'
import { signOut } from './account/sign-out.ts'
import { startSignIn } from './account/start-sign-in.ts'
import type { Operation } from './operation.ts'

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  startSignIn,
  finishSignIn,

  getSession,
  signOut,
  listSessions,
  endOtherSessions,
  endSession,
]
