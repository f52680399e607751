/**
 * Part of `npm run check`: fails if npm could not verify a package, because `package-lock.json` has no hash of it, or
 * if the file names the address of a registry. npm writes no hash of a package for another system that it has not
 * downloaded. `allowScripts` of `package.json` permits or refuses each install script, because npm warns of others at
 * every installation.
 */
import manifest from '../../package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }

interface Locked {
  /** The name of the package, if it has another name than its directory. */
  name?: string
  version?: string
  integrity?: string
  resolved?: string
  /** A workspace. */
  link?: boolean
  hasInstallScript?: boolean
}

for (const [path, locked] of Object.entries<Locked>(lock.packages)) {
  const directory = path.split('node_modules/').at(-1)
  if (locked.link || directory === path) continue
  const name = `${locked.name ?? directory}@${locked.version}`
  if (!locked.integrity?.startsWith('sha512-'))
    fail(`${name} has no SHA-512. Add as \`integrity\` what \`npm view ${name} dist.integrity\` prints.`)
  if (locked.hasInstallScript && !(directory && directory in manifest.allowScripts))
    fail(`${name} has an install script. Add it to \`allowScripts\` of package.json, as \`false\` if it works without.`)
  if (locked.resolved) fail(`${name} has an address. Remove \`resolved\`.`)
}

function fail(message: string): void {
  console.error(`package-lock.json: ${message}`)
  process.exitCode = 1
}
