/** Why CUPS does not answer, and what the owner of the computer can do. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { IppConnectionError, IppError } from '../../ipp/ipp-error.ts'
import { getCode } from '../../transport/explain-error.ts'
import { SpoolerProblem } from '../spooler-problem.ts'

/** Programs of packages by their commands, in the order of precedence. */
const INSTALL: [program: string, command: string][] = [
  ['/usr/bin/apt-get', 'sudo apt install cups'],
  ['/usr/bin/dnf', 'sudo dnf install cups'],
  ['/usr/bin/zypper', 'sudo zypper install cups'],
  ['/usr/bin/pacman', 'sudo pacman -S cups'],
  ['/sbin/apk', 'sudo apk add cups'],
]
const SERVERS = ['/usr/sbin/cupsd', '/usr/bin/cupsd', '/sbin/cupsd']
const OTHER_WAY = 'or add a network printer, which needs no CUPS'

/** What is known of the computer. */
export interface Surroundings {
  platform: NodeJS.Platform
  host: string
  /** The value of `CUPS_SERVER`. */
  server: string
  exists(path: string): boolean
}

/** @param error of a request for the printers. @returns other errors unchanged. */
export function explainCupsFailure(
  error: unknown,
  {
    platform = process.platform,
    host = hostname(),
    server = process.env.CUPS_SERVER ?? '',
    exists = existsSync,
  }: Partial<Surroundings> = {},
): unknown {
  if (isRefused(error))
    return new SpoolerProblem(
      'no-permission',
      `CUPS on ${host} does not permit the agent to list its printers: permit the user of the agent in cupsd.conf, ${OTHER_WAY}.`,
      error,
    )
  if (!(error instanceof IppConnectionError)) return error
  const isAbsent = ['ECONNREFUSED', 'ENOENT'].includes(getCode(error))
  if (server.trim() !== '')
    return new SpoolerProblem(
      'not-responding',
      `The CUPS of CUPS_SERVER, ${server.trim()}, does not answer ${host}: check the address and that it runs there, ${OTHER_WAY}.`,
      error,
    )
  if (isAbsent && !SERVERS.some(exists)) {
    const [, command] = INSTALL.find(([program]) => exists(program)) ?? []
    const remedy = command === undefined ? 'install it' : `\`${command}\``
    return new SpoolerProblem('not-installed', `CUPS is not installed on ${host}: ${remedy}, ${OTHER_WAY}.`, error)
  }
  const start = platform === 'darwin' ? 'sudo launchctl start org.cups.cupsd' : 'sudo systemctl start cups'
  if (isAbsent)
    return new SpoolerProblem('not-running', `CUPS does not run on ${host}: \`${start}\`, ${OTHER_WAY}.`, error)
  return new SpoolerProblem(
    'not-responding',
    `CUPS on ${host} does not answer: restart it, or this computer. ${error.message}`,
    error,
  )
}

const isRefused = (error: unknown) =>
  ['EACCES', 'EPERM'].includes(getCode(error)) ||
  (error instanceof IppError && /^client-error-(forbidden|not-authenticated|not-authorized)$/.test(error.status))
