/**
 * State and state reasons of a printer: without paper or with an open cover it is online, stopped or rejecting jobs it is offline.
 * Reference: docs/reference/printers.md#states and docs/agent-platforms.md#state-of-printers-on-cups.
 */
import type { IppAttributes } from '../../ipp/attributes.ts'
import { PRINTER_STATES } from '../../ipp/enums.ts'

export interface PrinterState {
  state: 'online' | 'offline'
  /** For people; empty when nothing is the matter. */
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

/** Added by the agent where CUPS gives none, as for a queue that rejects jobs. */
const STOPPED = 'printer-stopped'
const CONNECTING = 'connecting-to-device'

const OFFLINE_REASONS = ['offline', 'shutdown', 'timed-out', 'deactivated']

/** The commonest in words of people. */
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
 * What CUPS' backends say while they try to reach a device. Of most devices there is no keyword beside it; where CUPS speaks another language
 * the printer stays online.
 */
const UNREACHABLE = /may not exist or is unavailable|is not responding|is unreachable|[Uu]nable to (connect|contact)/

/** Whether CUPS is trying to reach the device in vain just now; for a while that is normal. */
export function isConnecting(queue: IppAttributes): boolean {
  if (getReasons(queue).includes(CONNECTING)) return true
  return getState(queue) === 'processing' && UNREACHABLE.test(getMessage(queue))
}

/** @param isUnreachable it has been connecting for too long. */
export function printerState(queue: IppAttributes, isUnreachable: boolean): PrinterState {
  const reasons = getReasons(queue).filter((reason) => reason !== CONNECTING)
  if (isUnreachable) reasons.push(CONNECTING)
  const isStopped = getState(queue) === 'stopped'
  const isRejecting = queue['printer-is-accepting-jobs']?.[0] === false
  const isOffline =
    isUnreachable || isStopped || isRejecting || reasons.some((reason) => OFFLINE_REASONS.includes(reason))
  if ((isStopped || isRejecting) && !reasons.includes(STOPPED)) reasons.push(STOPPED)
  return {
    state: isOffline ? 'offline' : 'online',
    stateDetail: toDetail(reasons, { isStopped, isRejecting }, getMessage(queue)),
    stateReasons: reasons,
  }
}

function toDetail(
  reasons: string[],
  { isStopped, isRejecting }: { isStopped: boolean; isRejecting: boolean },
  message: string,
): string {
  const sentences = reasons.flatMap((reason) => SENTENCES[reason] ?? [])
  if (isStopped) sentences.unshift(message ? `The printer is stopped: ${message}` : 'The printer is stopped.')
  else if (isRejecting) sentences.unshift('The printer does not accept jobs.')
  if (sentences.length > 0) return [...new Set(sentences)].join(' ')
  return reasons.length > 0 ? message || reasons.join(', ') : ''
}

const getState = (queue: IppAttributes) => PRINTER_STATES[queue['printer-state']?.[0] as keyof typeof PRINTER_STATES]

function getMessage(queue: IppAttributes): string {
  const [message] = queue['printer-state-message'] ?? []
  return typeof message === 'string' ? message.replaceAll(/\p{Cc}+/gu, ' ').trim() : ''
}

/** "media-empty-warning" and "media-empty-error" are one; CUPS' own notes on what it is doing are none. */
function getReasons(queue: IppAttributes): string[] {
  const reasons = queue['printer-state-reasons'] ?? []
  const keywords = reasons.filter((reason) => typeof reason === 'string').filter((reason) => /^[\w.-]+$/.test(reason))
  const plain = keywords.map(withoutSeverity)
  return [...new Set(plain)].filter(
    (reason) => reason !== 'none' && (!reason.startsWith('cups-') || reason === MISSING),
  )
}

const MISSING = 'cups-missing-filter'

/** Devices and CUPS give one reason different severities. */
export const withoutSeverity = (reason: string) => reason.replace(/-(report|warning|error)$/, '')
