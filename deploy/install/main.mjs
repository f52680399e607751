/**
 * Installs missing requirements of Platen: the npm packages with Node 24, nats-server. The first half of `npm start`
 * and other commands. Plain JavaScript without dependencies, because it runs on Node 20 before any installation. A
 * complete installation takes a fraction of a second. `--development` adds what tests and checks need.
 *
 * After an error, prints a message on standard error and exits with 1. Ends with its parent.
 */
import { InstallError } from './install-error.mjs'
import { installNatsServer } from './nats-server.mjs'
import { findNode } from './node-24.mjs'
import { generateTypes, installPackages, linkPostgresLibraries } from './packages.mjs'
import { endWithParent } from './run.mjs'

endWithParent()
try {
  const development = process.argv.includes('--development')
  const isChanged = await installPackages({ development })
  const node = findNode()
  if (isChanged && development) await generateTypes(node)
  // For an agent, the packages are sufficient.
  if (!process.argv.includes('--packages')) {
    await linkPostgresLibraries()
    await installNatsServer()
  }
  process.exit(0)
} catch (error) {
  console.error(error instanceof InstallError ? `\n${error.message}` : error)
  process.exit(1)
}
