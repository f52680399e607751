/**
 * Sanitizes messages of agents, which are untrusted. One statement records messages of many agents, so a value that PostgreSQL rejects would
 * fail the messages of other agents too.
 */
import type { ConnectRequest } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { validate as isUuid } from 'uuid'

/** In UTF-16 units. Messages of drivers have a few hundred. */
const TEXT_MAX = 4_096
/** Reasons, and warnings, of one report. */
const LIST_MAX = 50

/**
 * Modifies the message: replaces NUL characters by U+FFFD and truncates long texts and lists.
 *
 * @returns false if the id of its job is invalid.
 */
export function sanitizeMessage(request: ConnectRequest): boolean {
  sanitize(request)
  const { message } = request
  switch (message.case) {
    case 'report':
      message.value.reasons.length = Math.min(message.value.reasons.length, LIST_MAX)
      message.value.warnings.length = Math.min(message.value.warnings.length, LIST_MAX)
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

function sanitize(value: object): void {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') {
      const sanitized = sanitizeText(member)
      if (sanitized !== member) Object.assign(value, { [name]: sanitized })
    } else if (typeof member === 'object' && member !== null) sanitize(member)
  }
}

const sanitizeText = (text: string) => text.replaceAll('\0', '\u{fffd}').slice(0, TEXT_MAX).toWellFormed()
