/**
 * Converts the attributes of a queue to the state of its printer. A printer without paper or with an open cover is
 * online. A printer that is stopped or rejects jobs is offline. Reference: docs/reference/printers.md#states and
 * docs/agent-platforms.md#state-of-printers-on-cups.
 */
import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { PRINTER_STATES } from '@platen/ipp/enums.ts'
import { toSentence } from '../to-sentence.ts'

export interface PrinterState {
  state: 'online' | 'offline'
  /** Sentences for users; empty without state reasons. */
  stateDetail: string
  /** IPP keywords without their severity, "media-empty". */
  stateReasons: string[]
}

export const STATE_ATTRIBUTES = [
  'printer-is-accepting-jobs',
  'printer-state',
  'printer-state-message',
  'printer-state-reasons',
]

/** Added by the agent for a state without a keyword of CUPS, such as a queue that rejects jobs. */
const STOPPED = 'printer-stopped'
export const CONNECTING = 'connecting-to-device'

const OFFLINE_REASONS = ['offline', 'shutdown', 'timed-out', 'deactivated']

/** Texts of common reasons. Reasons without a text are shown by the message of the printer. */
const SENTENCES: Record<string, string> = {
  'media-empty': 'The printer is out of paper.',
  'media-needed': 'The printer needs paper.',
  'media-low': 'The printer is low on paper.',
  'media-jam': 'Paper is jammed in the printer.',
  'cover-open': 'A cover of the printer is open.',
  'door-open': 'A door of the printer is open.',
  'interlock-open': 'A cover of the printer is open.',
  'input-tray-missing': 'A tray of the printer is missing.',
  'output-area-full': 'The output tray of the printer is full.',
  'toner-empty': 'The printer is out of toner.',
  'toner-low': 'The printer is low on toner.',
  'marker-supply-empty': 'The printer is out of ink or toner.',
  'marker-supply-low': 'The printer is low on ink or toner.',
  'marker-waste-full': 'The waste container of the printer is full.',
  [CONNECTING]: 'The printer cannot be reached.',
  offline: 'The printer is offline.',
}

/**
 * Messages of the backends of CUPS while they cannot connect to a device. Most backends report no keyword. The messages
 * are English, so the printer stays online during a job of another user in another language.
 */
export const UNREACHABLE =
  /may not exist or is unavailable|is not responding|is unreachable|[Uu]nable to (connect|contact|locate)|^Waiting for printer to become/

/** Whether CUPS cannot connect to the device at the moment. This is normal for a short time. */
export function isConnecting(queue: IppAttributes): boolean {
  if (getReasons(queue).includes(CONNECTING)) return true
  return getState(queue) === 'processing' && UNREACHABLE.test(getMessage(queue))
}

/**
 * @param isUnreachable true if CUPS has tried to connect for too long.
 * @param cause why it is unreachable, as a sentence.
 */
export function toPrinterState(queue: IppAttributes, isUnreachable: boolean, cause?: string): PrinterState {
  const reasons = getReasons(queue).filter((reason) => reason !== CONNECTING)
  if (isUnreachable) reasons.push(CONNECTING)
  const isStopped = getState(queue) === 'stopped'
  const isRejecting = queue['printer-is-accepting-jobs']?.[0] === false
  const isOffline =
    isUnreachable || isStopped || isRejecting || reasons.some((reason) => OFFLINE_REASONS.includes(reason))
  if ((isStopped || isRejecting) && !reasons.includes(STOPPED)) reasons.push(STOPPED)
  return {
    state: isOffline ? 'offline' : 'online',
    stateDetail: toDetail(reasons, { isStopped, isRejecting, cause }, getMessage(queue)),
    stateReasons: reasons,
  }
}

function toDetail(
  reasons: string[],
  { isStopped, isRejecting, cause }: { isStopped: boolean; isRejecting: boolean; cause: string | undefined },
  message: string,
): string {
  const sentences = reasons.flatMap((reason) => (reason === CONNECTING && cause) || (SENTENCES[reason] ?? []))
  if (isStopped)
    sentences.unshift(message ? `The printer is stopped: ${toSentence(message)}` : 'The printer is stopped.')
  else if (isRejecting) sentences.unshift('The printer does not accept jobs.')
  if (sentences.length > 0) return [...new Set(sentences)].join(' ')
  return reasons.length > 0 ? message || reasons.join(', ') : ''
}

const getState = (queue: IppAttributes) => PRINTER_STATES[queue['printer-state']?.[0] as keyof typeof PRINTER_STATES]

function getMessage(queue: IppAttributes): string {
  const [message] = queue['printer-state-message'] ?? []
  return typeof message === 'string' ? message.replaceAll(/\p{Cc}+/gu, ' ').trim() : ''
}

/**
 * Keywords without severity, so that "media-empty-warning" and "media-empty-error" are equal. Internal keywords of CUPS
 * are omitted.
 */
function getReasons(queue: IppAttributes): string[] {
  const reasons = queue['printer-state-reasons'] ?? []
  const keywords = reasons.filter((reason) => typeof reason === 'string').filter((reason) => /^[\w.-]+$/.test(reason))
  const plain = keywords.map(removeSeverity)
  return [...new Set(plain)].filter(
    (reason) => reason !== 'none' && (!reason.startsWith('cups-') || reason === MISSING_FILTER),
  )
}

const MISSING_FILTER = 'cups-missing-filter'

/** Devices and CUPS report the same reason with different severities. */
export const removeSeverity = (reason: string) => reason.replace(/-(report|warning|error)$/, '')
