/**
 * What the owner of a computer runs there, for the dashboard and for programs. A test compares the commands with
 * `docs/agent-packages.md`.
 */

/** What a command contains. */
export interface Values {
  /** The address of the installation: "https://print.example.com". */
  server: string
  token: string
  /** The version of the packages. */
  version: string
  /** Whether owners and admins of the organization may add network printers. */
  allowsNetworkPrinters: boolean
}

const toFlag = ({ allowsNetworkPrinters }: Values) => (allowsNetworkPrinters ? ' --allow-network-printers' : '')

/** The shell prints the token itself, so that it is on no command line of a process. */
const ENROLL = (agent: string, values: Values) =>
  `printf '%s' '${values.token}' | ${agent} enroll --server ${values.server} --token-file -${toFlag(values)}`

export interface Way {
  /** The packages that it needs. Undefined: none of this list. */
  platform?: 'linux' | 'macos' | 'windows'
  /** Where the command is run. */
  where: string
  command(values: Values): string
  /** The command asks for the token instead of containing it. */
  asksForToken?: true
}

const INSTALL_BY_SHELL = (values: Values) =>
  `curl -fsSL ${values.server}/agents/install.sh | sudo sh -s -- --server ${values.server}${toFlag(values)}`

export const WAYS = {
  'This computer': {
    where: 'in the clone of Platen, while npm start runs',
    command: (values) => `${ENROLL('npm run -s agent --', values)} && npm run agent -- run`,
  },
  Linux: { platform: 'linux', where: 'in a terminal', command: INSTALL_BY_SHELL, asksForToken: true },
  macOS: { platform: 'macos', where: 'in a terminal', command: INSTALL_BY_SHELL, asksForToken: true },
  Windows: {
    platform: 'windows',
    where: 'in PowerShell, started as administrator',
    command: ({ server, allowsNetworkPrinters }) =>
      `& ([scriptblock]::Create((irm ${server}/agents/install.ps1))) -Server ${server}${allowsNetworkPrinters ? ' -AllowNetworkPrinters' : ''}`,
    asksForToken: true,
  },
  Docker: {
    where: 'on a server with Docker',
    command: (values) => `docker volume create platen-agent
${ENROLL(`docker run --rm -i -v platen-agent:/var/lib/platen-agent platen-agent:${values.version}`, values)}
docker run -d --name platen-agent --restart unless-stopped --read-only --cap-drop ALL --security-opt no-new-privileges \\
  -v platen-agent:/var/lib/platen-agent -e CUPS_SERVER=cups.example.com:631 platen-agent:${values.version}`,
  },
} as const satisfies Record<string, Way>

export type System = keyof typeof WAYS
