/**
 * `npm run test:long -- contract`: what other programs make of the OpenAPI document. Clients of seven generators
 * compile, list the printers and create a job in test mode; Schemathesis finds no server error and no response outside
 * of its schema. Exits with 1 if a fact does not hold. Needs npm, python3, java, mvn and go: a missing one is named,
 * and fails in CI.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createApi } from '../harness/api.ts'
import { type Checks, createChecks } from '../harness/checks.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { withScratch } from '../tools/scratch.ts'
import { GENERATORS, type Generator, PYTHON_PACKAGES, type Toolchain } from './generators.ts'

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
const SHOWN_CHARACTERS = 16_000
/** Maven prints more. */
const UUID = /[0-9a-f-]{36}/
const VERSION_ARGUMENT: Partial<Record<Toolchain, string>> = { go: 'version' }
/** Schemathesis has these for a defect of the service; others are opinions about a request that it made. */
const SCHEMA_CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

const { values: options } = parseArgs({
  options: {
    /** Generator, or `schemathesis`. */
    only: { type: 'string' },
    seconds: { type: 'string', default: '300' },
  },
})

interface Contract {
  checks: Checks
  directory: string
  env: NodeJS.ProcessEnv
}

async function main(checks: Checks): Promise<void> {
  await using started = new AsyncDisposableStack()
  checks.progress('starting the services')
  const system = started.adopt(await startSystem(), (one) => one.stop())
  const { organizationId, credential } = await system.addOrganization()
  const key = await system.addKey(organizationId, 'test', ['admin'])
  started.adopt(await connectLightAgent(system.agentAddress, credential), (agent) => agent.close())
  const api = createApi(system.baseUrl, key)
  await withScratch(async (directory) => {
    const env = { ...process.env, PLATEN_URL: system.baseUrl, PLATEN_KEY: key }
    const contract = { checks, directory, env }
    const { body: document } = await api.get('/v1/openapi.json')
    await writeFile(join(directory, 'openapi.json'), JSON.stringify(document))
    const hasPython = isThere('python3')
    if (hasPython) await installPython(contract)
    for (const generator of GENERATORS) {
      if (options.only !== undefined && options.only !== generator.name) continue
      const title = `a client of ${generator.name} compiles, lists the printers and creates a job`
      const missing = generator.needs.filter((toolchain) => !isThere(toolchain))
      if (missing.length > 0) skip(checks, title, `${missing.join(', ')} is not installed`)
      else
        await checks.shows(title, async () => {
          const id = await printBy(generator, contract)
          await waitFor(async () => assert.equal((await api.get(`/v1/printjobs/${id}`)).body.state, 'done'))
        })
    }
    if (options.only !== undefined && options.only !== 'schemathesis') return
    const title = `Schemathesis finds no response outside of its schema in ${options.seconds} s`
    if (hasPython) await checks.shows(title, () => runSchemathesis(contract))
    else skip(checks, title, 'python3 is not installed')
  })
}

function skip({ check, progress }: Checks, title: string, reason: string): void {
  if (process.env.CI) check(title, reason)
  else progress(`skipped, ${reason}: ${title}`)
}

function isThere(toolchain: Toolchain): boolean {
  try {
    execFileSync(toolchain, [VERSION_ARGUMENT[toolchain] ?? '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function installPython(contract: Contract): Promise<void> {
  contract.checks.progress('installing the generators')
  await execute(contract, ['python3', '-m', 'venv', 'python'])
  await execute(contract, ['PYTHON', '-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES])
}

/** @returns the id of the job. */
async function printBy({ name, files, commands, run }: Generator, contract: Contract): Promise<string> {
  contract.checks.progress(name)
  const directory = join(contract.directory, name.replaceAll(/\W+/g, '-'))
  const own = { ...contract, directory }
  await mkdir(directory)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
  for (const command of commands) await execute(own, command, contract.directory)
  return UUID.exec(await execute(own, run, contract.directory))?.[0] ?? 'nothing'
}

async function runSchemathesis(contract: Contract): Promise<void> {
  const { env } = contract
  contract.checks.progress('Schemathesis')
  await execute(contract, [
    ...['SCHEMATHESIS', 'run', `${env.PLATEN_URL}/v1/openapi.json`, '--max-time', options.seconds, '--no-color'],
    // Longer than a request waits for events.
    ...['--request-timeout', '60'],
    ...['--header', `Authorization: Bearer ${env.PLATEN_KEY}`, '--checks', SCHEMA_CHECKS.join()],
  ])
}

/**
 * @param root has the programs that are installed for all generators.
 * @throws Error with the end of the output.
 */
async function execute(contract: Contract, command: string[], root = contract.directory): Promise<string> {
  const bin = join(root, 'python/bin')
  const programs: Record<string, string> = {
    PYTHON: join(bin, 'python'),
    GENERATOR: join(bin, 'openapi-generator-cli'),
    SCHEMATHESIS: join(bin, 'schemathesis'),
  }
  const [program = '', ...args] = command.map((word) => programs[word] ?? word)
  // openapi-python-client formats its code by ruff.
  const env = { ...contract.env, PATH: `${bin}:${process.env.PATH}` }
  const result = promisify(execFile)(program, args, { cwd: contract.directory, env, maxBuffer: OUTPUT_MAX_BYTES })
  const { stdout } = await result.catch((error: { stdout: string; stderr: string; message: string }) => {
    throw new Error(
      `${command.join(' ')}\n${(error.stdout || error.message).slice(-SHOWN_CHARACTERS)}${error.stderr.slice(-SHOWN_CHARACTERS)}`,
    )
  })
  return stdout
}

const checks = createChecks()
await main(checks)
process.exitCode = checks.end()
