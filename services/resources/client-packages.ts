/**
 * The packages of the clients, which an installation offers at `/clients/`. `clients/package-clients.ts` builds them.
 */

export interface ClientName {
  client: 'typescript' | 'cli' | 'python'
}

const PATTERNS: Record<ClientName['client'], RegExp> = {
  typescript: /^platen-sdk-([\w.-]+)\.tgz$/,
  cli: /^platen-cli-([\w.-]+)\.tgz$/,
  python: /^platen_print-([\w.]+)-py3-none-any\.whl$/,
}

/** The version in the form of PEP 440. */
export const toPythonVersion = (version: string) => version.replace(/-dev$/, '.dev0')

/** @returns undefined for other files of the list. */
export function parseClientPackage(file: string): (ClientName & { version: string }) | undefined {
  for (const [client, pattern] of Object.entries(PATTERNS)) {
    const [, version] = pattern.exec(file) ?? []
    if (version !== undefined)
      return { client: client as ClientName['client'], version: version.replace(/\.dev0$/, '-dev') }
  }
  return undefined
}

/** The line of a shell that installs a package. @param url of its file. */
export function toInstallLine(client: ClientName['client'], url: string): string {
  const commands = { typescript: 'npm install', cli: 'npm install --global', python: 'pip install' }
  return `${commands[client]} ${url}`
}
