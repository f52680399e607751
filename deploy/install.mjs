/**
 * Installs what Platen needs and this machine lacks: the npm packages, Node 24, nats-server. The first half of `npm start`, and
 * of whatever else needs them. Plain JavaScript without a dependency, since it runs on Node 20 before anything is installed;
 * a run that finds everything in place takes a fraction of a second.
 *
 * Fails with one sentence on standard error and exit code 1, and ends with its parent.
 */
import { InstallError } from './install/install-error.mjs'
import { installNatsServer } from './install/nats-server.mjs'
import { checkNode } from './install/node-24.mjs'
import { installPackages, linkPostgresLibraries } from './install/packages.mjs'
import { endWithParent } from './install/run.mjs'

endWithParent()
try {
  await installPackages()
  await checkNode()
  // An agent needs no more.
  if (!process.argv.includes('--packages')) {
    await linkPostgresLibraries()
    await installNatsServer()
  }
  process.exit(0)
} catch (error) {
  console.error(error instanceof InstallError ? `\n${error.message}` : error)
  process.exit(1)
}
