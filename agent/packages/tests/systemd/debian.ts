/** A fresh Debian with a running systemd and CUPS in a container of systemd-nspawn, for tests of the installation. */
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../../../test/harness/wait-for.ts'
import { run } from '../../run.ts'

export type DebianArchitecture = 'amd64' | 'arm64'

/** The emulated architecture starts ten times as slowly. */
const BOOT_TIMEOUT_MS = 180_000
const PROMPT_TIMEOUT_MS = 600_000
const ENVIRONMENT = [
  'env',
  '-i',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'TERM=dumb',
  'HOME=/root',
]

/** Where the queues of `startDebian` print. */
export const PAPER = { office: '/var/tmp/office.pdf', labels: '/var/tmp/labels.raw' } as const

export interface Debian {
  /** Runs a command line as root. @returns its standard output. */
  run(commandLine: string): Promise<string>
  /** Runs a command line on a terminal, and types the answer at the prompt. @returns what the terminal shows. */
  type(commandLine: string, prompt: string, answer: string): Promise<string>
  /** The contents of a file. */
  read(path: string): Promise<Buffer>
  stop(): Promise<void>
}

/**
 * With the queue `Office`, which takes PDF and is the default, and the raw queue `Labels`. It uses the network of this
 * machine.
 */
export async function startDebian(architecture: DebianArchitecture): Promise<Debian> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-debian-'))
  await run(join(import.meta.dirname, 'make-root.sh'), [dir, architecture])
  for (const file of ['hosts', 'resolv.conf']) {
    await rm(join(dir, 'etc', file), { force: true })
    await copyFile(join('/etc', file), join(dir, 'etc', file))
  }
  await copyFile(join(import.meta.dirname, 'office.ppd'), join(dir, 'root/office.ppd'))
  // This machine may have a CUPS of its own on port 631.
  await run('sed', ['-i', 's/^Listen localhost:631/#&/', join(dir, 'etc/cups/cupsd.conf')])
  await run('sed', ['-i', '$aFileDevice Yes', join(dir, 'etc/cups/cups-files.conf')])
  const options = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', `--directory=${dir}`, '--boot']
  const container = spawn('systemd-nspawn', options, { stdio: 'ignore' })

  const leader = await waitFor(() => findChild(container), BOOT_TIMEOUT_MS)
  const enter = (commandLine: string) => [
    ...['--target', leader, '--mount', '--uts', '--ipc', '--pid', '--root', '--'],
    ...[...ENVIRONMENT, 'sh', '-c', `cd /root; ${commandLine}`],
  ]
  const runInside = (commandLine: string) => run('nsenter', enter(commandLine))
  await waitFor(async () => {
    const state = (await runInside('systemctl is-system-running || true')).trim()
    if (!['running', 'degraded'].includes(state)) throw new Error(`systemd is ${state}`)
  }, BOOT_TIMEOUT_MS)
  await waitFor(() => runInside(ADD_QUEUES), BOOT_TIMEOUT_MS)

  return {
    run: runInside,
    async type(commandLine, prompt, answer) {
      const terminal = spawn('nsenter', enter(`script -qec '${commandLine}' /dev/null`), { stdio: 'pipe' })
      let shown = ''
      for (const stream of [terminal.stdout, terminal.stderr]) stream.on('data', (chunk) => (shown += chunk))
      const ended = new Promise<number | null>((resolve) => terminal.once('close', resolve))
      const hasEnded = ended.then((code) => Promise.reject(new Error(`ended with ${code}:\n${shown}`)))
      const isAsked = () => {
        if (!shown.includes(prompt)) throw new Error(`no prompt "${prompt}":\n${shown}`)
      }
      await Promise.race([waitFor(isAsked, PROMPT_TIMEOUT_MS), hasEnded])
      terminal.stdin.write(`${answer}\n`)
      const code = await ended
      hasEnded.catch(() => undefined)
      if (code !== 0) throw new Error(`${commandLine} ended with ${code}:\n${shown}`)
      return shown
    },
    read: (path) => readFile(join(`/proc/${leader}/root`, path)),
    async stop() {
      const ended = new Promise((resolve) => container.once('exit', resolve))
      // The end of its first process ends all processes of the container.
      process.kill(Number(leader), 'SIGKILL')
      await ended
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const ADD_QUEUES = [
  `touch ${PAPER.office} ${PAPER.labels} && chown lp ${PAPER.office} ${PAPER.labels}`,
  `lpadmin -p Office -E -v file://${PAPER.office} -P /root/office.ppd`,
  `lpadmin -p Labels -E -v file://${PAPER.labels}`,
  'lpadmin -d Office',
].join(' && ')

/** The process 1 of the container. Until it exists the child of nspawn is another one. */
async function findChild({ pid }: ChildProcess): Promise<string> {
  const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')
  const status = await readFile(`/proc/${child}/status`, 'utf8')
  if (!child || !/^NSpid:\s\d+\s1$/m.test(status)) throw new Error('the container has no process 1 yet')
  return child
}
