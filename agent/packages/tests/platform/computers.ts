/** The computer on which `main.ts` installs the agent: this machine on macOS and Windows, a container on Linux. */
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../run.ts'
import { PAPER, startDebian } from '../systemd/debian.ts'

interface Computer {
  /** The name of the printer that `addPrinter` adds. */
  printer: string
  addPrinter(): Promise<unknown>
  /** Runs the command of the page "Add a computer". @returns what it shows. */
  install(serverUrl: string, token: string): Promise<string>
  /** What was printed. */
  readPaper(): Promise<Buffer>
  /**
   * Adds a shared printer by the means of the system, and prints a page on it.
   *
   * @param address without its scheme.
   * @param pdf that Windows cannot print without a program, so it prints a text.
   */
  printByIpp(address: string, pdf: Buffer): Promise<unknown>
  close(): Promise<void>
}

const toShellCommand = (serverUrl: string, tokenFile: string) =>
  `curl -fsSL ${serverUrl}/agents/install.sh | sudo sh -s -- --server ${serverUrl} --token-file ${tokenFile}`

/**
 * `docs/ipp.md` has the same commands. CUPS asks for the options in the background, and loses what is printed before it
 * has them.
 */
const toIppCommand = (address: string, pdf: Buffer, sudo = '') =>
  `set -e
  ${sudo} lpadmin -p Shared -E -m everywhere -v 'ipp://${address}?waitjob=false'
  n=0; while lpoptions -p Shared | grep -q 'Local Raw' && [ $((n += 1)) -lt 60 ]; do sleep 1; done
  printf %s ${pdf.toString('base64')} | base64 -d | lp -d Shared -t Shared`

export async function openComputer(): Promise<Computer> {
  if (process.platform === 'win32') return openWindows()
  return process.platform === 'darwin' ? openMac() : await openDebian()
}

async function openDebian(): Promise<Computer> {
  const debian = await startDebian(process.arch === 'arm64' ? 'arm64' : 'amd64')
  return {
    printer: 'Office',
    addPrinter: async () => undefined,
    install: (serverUrl, token) => debian.run(`echo ${token} > token && ${toShellCommand(serverUrl, 'token')}`),
    readPaper: () => debian.read(PAPER.office),
    printByIpp: (address, pdf) => debian.run(toIppCommand(address, pdf)),
    close: debian.stop,
  }
}

function openMac(): Computer {
  const paper = '/private/tmp/platen-paper.pdf'
  const shell = (line: string) => run('sh', ['-c', line])
  return {
    printer: 'Office',
    addPrinter: () =>
      shell(`set -e
        echo 'FileDevice Yes' | sudo tee -a /etc/cups/cups-files.conf
        sudo launchctl kickstart -k system/org.cups.cupsd
        touch ${paper} && chmod 666 ${paper}
        sudo lpadmin -p Office -E -v file://${paper} -P '${join(import.meta.dirname, '../systemd/office.ppd')}'`),
    async install(serverUrl, token) {
      const file = join(tmpdir(), 'platen-token')
      await writeFile(file, token, { mode: 0o600 })
      return await shell(toShellCommand(serverUrl, file))
    },
    readPaper: () => readFile(paper),
    printByIpp: (address, pdf) => shell(toIppCommand(address, pdf, 'sudo')),
    close: async () => undefined,
  }
}

function openWindows(): Computer {
  const paper = 'C:\\platen\\out.pdf'
  const powershell = (script: string, env: NodeJS.ProcessEnv = {}) =>
    run('powershell.exe', ['-NoProfile', '-ExecutionPolicy', 'Bypass', '-Command', script], env)
  return {
    printer: 'Office',
    addPrinter: () =>
      powershell(`$ErrorActionPreference = 'Stop'
        New-Item -ItemType Directory C:\\platen | Out-Null
        Add-PrinterPort -Name '${paper}'
        Add-Printer -Name Office -DriverName 'Microsoft Print To PDF' -PortName '${paper}'`),
    install: (serverUrl, token) =>
      powershell(`& ([scriptblock]::Create((irm ${serverUrl}/agents/install.ps1))) -Server ${serverUrl}`, {
        PLATEN_ENROLL_TOKEN: token,
      }),
    readPaper: () => readFile(paper),
    printByIpp: (address) =>
      powershell(`$ErrorActionPreference = 'Stop'
        Add-Printer -Name Shared -IppURL 'http://${address}'
        'A page of this computer' | Out-Printer -Name Shared`),
    close: async () => undefined,
  }
}
