/** The gateway as its own process, on the services of a test. */
import { spawn } from 'node:child_process'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished } from 'vitest'
import type { startTestServices } from './start-test-services.ts'

const MAIN = new URL('../../main.ts', import.meta.url).pathname

/** As the launcher gives a service. */
const UP_LIMIT_MS = 60_000

type TestConfig = Awaited<ReturnType<typeof startTestServices>>['config']

/** @param env further settings, and others than those of `config`. */
export async function startGatewayProcess(config: TestConfig, env: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'gateway'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_RPC_SECRET: config.rpcSecret,
      PLATEN_ACCOUNTS_URL: config.accountsUrl,
      PLATEN_JOBS_URL: config.jobsUrl,
      PLATEN_DEVICES_URL: config.devicesUrl,
      PLATEN_USAGE_URL: config.usageUrl,
      PLATEN_WEBHOOKS_URL: config.webhooksUrl,
      PLATEN_FILE_STORE_URL: config.fileStoreUrl,
      PLATEN_UPGRADE_URL: config.upgradeUrl,
      ...env,
    },
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  // By then all that it wrote is here.
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const baseUrl = `http://127.0.0.1:${port}`
  const isUp = () =>
    waitFor(async () => expect((await fetch(`${baseUrl}/healthz`)).status, output).toBe(200), UP_LIMIT_MS)
  return { child, exited, kill, port, baseUrl, isUp, output: () => output }
}
