/**
 * Part of `npm run check`: fails for a known vulnerability of high or critical severity in a runtime dependency. Only
 * warns if the registry has no audit, so that the checks also work offline and with a mirror.
 */
import { spawnSync } from 'node:child_process'

interface Audit {
  /** A failure of the request. */
  message?: string
  vulnerabilities?: Record<string, { severity: string }>
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const { message, vulnerabilities } = JSON.parse(stdout || '{}') as Audit
if (!vulnerabilities)
  console.warn(
    `warning: the runtime dependencies are not checked, because \`npm audit\` failed: ${message ?? 'no answer'}`,
  )
for (const [name, { severity }] of Object.entries(vulnerabilities ?? {})) {
  if (severity !== 'high' && severity !== 'critical') continue
  console.error(`${name} has a ${severity} vulnerability. Run \`npm audit --omit=dev\`.`)
  process.exitCode = 1
}
