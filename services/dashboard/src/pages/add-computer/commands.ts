/** The commands that enrol a computer. A test compares those for Linux and Docker with `docs/agent-packages.md`. The token is not on a command line of the agent. */

const ENROLL = (agent: string, token: string) =>
  `printf '%s' '${token}' | ${agent} enroll --server ${location.origin} --token-file -`

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Agents on other computers refuse to enrol. */
export const isWithoutTls = () => location.protocol === 'http:' && !LOCAL_HOSTS.includes(location.hostname)

export const SYSTEMS = {
  Linux: (token: string) => `${ENROLL('sudo platen-agent', token)}
sudo systemctl restart platen-agent`,
  macOS: (token: string) => `${ENROLL('sudo platen-agent', token)}
sudo launchctl kickstart -k system/com.platen.agent`,
  Windows: (token: string) => `'${token}' | platen-agent enroll --server ${location.origin} --token-file -
platen-agent run`,
  Docker: (token: string) => `docker volume create platen-agent
${ENROLL('docker run --rm -i -v platen-agent:/var/lib/platen-agent platen-agent:VERSION', token)}
docker run -d --name platen-agent --restart unless-stopped --read-only --cap-drop ALL --security-opt no-new-privileges \\
  -v platen-agent:/var/lib/platen-agent -e CUPS_SERVER=cups.example.com:631 platen-agent:VERSION`,
} as const

export type System = keyof typeof SYSTEMS
