/** Prints what a user needs after a start: addresses, keys and the first command. */
import { bootstrap } from './bootstrap.ts'
import { firstPrint } from './first-print.ts'
import type { Installation } from './services.ts'

const ONLY_LOCAL =
  'Only this computer can reach Platen. For agents on other computers set PLATEN_TLS_CERT_FILE and PLATEN_TLS_KEY_FILE, or PLATEN_HOST=0.0.0.0 in a network that you trust.'

/**
 * Requires running services. Later starts show keys only on a terminal, because other output is usually stored in a
 * journal.
 *
 * @throws StartupError if the user must correct something.
 */
export async function printReady(installation: Installation, hasDashboard: boolean): Promise<void> {
  const { settings, data } = installation
  const { credentials, owners, isFirst } = await bootstrap(installation)
  const { curl, platen } = await firstPrint(installation, credentials)
  const lines = [`Platen is ready: ${credentials.baseUrl}`]
  if (settings.isOnlyLocal) lines.push(ONLY_LOCAL)
  const code = settings.hasMailServer ? 'The code is sent by e-mail.' : 'The code appears here.'
  if (hasDashboard) lines.push(`Dashboard: ${credentials.baseUrl}/app`, `Sign in as ${owners.join(' or ')}. ${code}`)
  if (isFirst || process.stdout.isTTY) {
    lines.push(
      `Test key: ${credentials.testKey}`,
      `Live key: ${credentials.liveKey}`,
      `Admin key: in ${data.credentialsFile}`,
    )
    lines.push(`Print a page:\n\n${curl}\n\nOr with the command line:\n\n${platen}\n`)
  } else lines.push(`Keys: ${data.credentialsFile}`)
  // One write, so that readers of the output get all lines at once.
  console.log(lines.join('\n'))
}
