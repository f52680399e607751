/**
 * Bounds of what an agent sends, in bytes of UTF-8, and of the documents that it takes. The service enforces the
 * former, and the agent cuts its list of printers in the same way. Reference: docs/reference/agents.md#bounds. Has no
 * imports, because the dashboard loads it.
 */

/**
 * 25 MB. An agent refuses larger documents, so that a hostile service cannot fill its disk. Reference:
 * docs/reference/print-jobs.md#content.
 */
export const DOCUMENT_MAX_BYTES = 26_214_400

/** The largest hello (`HELD_JOBS_MAX` ids and `PRINTERS_MAX_BYTES` of printers) is smaller. */
export const MESSAGE_MAX_BYTES = 1024 * 1024

export const REPORT_ID_MAX_BYTES = 128
export const RUN_ID_MAX_BYTES = 64
/** State messages, state details and descriptions. */
export const SENTENCE_MAX_BYTES = 1_000
/** Names, host name, system, version, papers and bins. */
export const NAME_MAX_BYTES = 255
/** Identifies a printer, so it is never cut. */
export const OS_NAME_MAX_BYTES = 1_024

/** Reasons of a report or a printer. */
export const REASONS_MAX = 20
export const REASON = /^[A-Za-z0-9][\w.-]{0,63}$/
export const WARNINGS_MAX = 20
export const WARNING_MAX_BYTES = 500

/** The size of a download that tests the connection. */
export const ECHO_MAX_BYTES = 64 * 1024

/** The size of one printer, as JSON. */
export const CAPABILITIES_MAX_BYTES = 64 * 1024
/** Printers of one report. */
export const PRINTERS_MAX = 500
export const PRINTERS_MAX_BYTES = 256 * 1024

/** Jobs of one hello. */
export const HELD_JOBS_MAX = 20_000
export const COMMANDS_MAX = 50

/** Printers of the result of a command. */
export const COMMAND_PRINTERS_MAX = 100
export const PRINTER_URI_MAX_BYTES = 1_024
export const DIAGNOSTICS_MAX_BYTES = 256 * 1024

const encoder = new TextEncoder()

/** Control characters, and the line separators that not every JSON parser accepts. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu

export const replaceControls = (text: string) => text.replace(CONTROLS, ' ')

/** Cuts a text after the last code point that fits. */
export function truncateText(text: string, maxBytes: number): string {
  // A UTF-16 unit has at most 3 bytes.
  if (text.length * 3 <= maxBytes) return text
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read)
}
