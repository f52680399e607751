/**
 * What agents say comes from computers of strangers, and one statement records what many of them say: what PostgreSQL does not take must
 * not get that far, or one agent could keep the others' reports from being recorded.
 */
import type { ConnectRequest } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { validate as isUuid } from 'uuid'

/** In UTF-16 units. Drivers' sentences have some hundred. */
const TEXT_MAX = 4_096
/** Reasons and warnings of one report. */
const SENTENCES_MAX = 50

/**
 * Changes the message itself: NUL characters of its texts become U+FFFD, and long ones are cut.
 *
 * @returns whether it can be worked on: it is not when it is about a job whose id is none.
 */
export function mendMessage(request: ConnectRequest): boolean {
  mend(request)
  const { message } = request
  switch (message.case) {
    case 'report':
      message.value.reasons.length = Math.min(message.value.reasons.length, SENTENCES_MAX)
      message.value.warnings.length = Math.min(message.value.warnings.length, SENTENCES_MAX)
      return isUuid(message.value.jobId)
    case 'received':
    case 'removed':
      return isUuid(message.value.jobId)
    case 'hello':
      message.value.heldJobIds = message.value.heldJobIds.filter(isUuid)
      return true
    default:
      return true
  }
}

function mend(value: object): void {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') {
      const mended = mendText(member)
      if (mended !== member) Object.assign(value, { [name]: mended })
    } else if (typeof member === 'object' && member !== null) mend(member)
  }
}

const mendText = (text: string) => text.replaceAll('\0', '\u{fffd}').slice(0, TEXT_MAX).toWellFormed()
