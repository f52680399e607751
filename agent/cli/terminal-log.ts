/** The log of `platen-agent run` for a person at a terminal. */

const FACTS = ['printers', 'printer', 'state', 'reason', 'message', 'version', 'uri']
const WARN = ['warn', 'error', 'fatal']

/** @param line one JSON object. @returns one line of text: `10:43:15  job finished (printer Zebra, state done)`. */
export function formatLogLine(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as Record<string, unknown> & {
    err?: { message?: string }
  }
  const shown = FACTS.flatMap((name) => {
    const value = facts[name]
    return typeof value === 'string' && value !== '' ? [`${name} ${value}`] : []
  })
  const at = new Date(Number(time)).toTimeString().slice(0, 'HH:MM:SS'.length)
  const mark = WARN.includes(String(level)) ? 'WARNING: ' : ''
  const details = shown.length > 0 ? ` (${shown.join(', ')})` : ''
  return `${at}  ${mark}${msg}${details}${err?.message ? `: ${err.message}` : ''}\n`
}
