/** What the page knows of the computer of its visitor. */
import type { System } from '@platen/resources/agent-commands.ts'

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** The browser and the service are on one computer, or a tunnel connects them. */
export const isLocal = () => LOCAL_HOSTS.includes(location.hostname)

/** Agents on other computers refuse to enrol. */
export const isWithoutTls = () => location.protocol === 'http:' && !isLocal()

/** @returns the system of the visitor, which is usually that of the computer with the printer. */
export function detectSystem(userAgent: string): System {
  if (/Windows/.test(userAgent)) return 'Windows'
  return /Mac OS X|Macintosh/.test(userAgent) ? 'macOS' : 'Linux'
}
