/**
 * `npm run test:kills`: an agent prints on a real CUPS while `kill -9` ends now the one and now the other at random points. Shows that no job
 * was released to the spooler twice and that each came to an end. Exits with 1 when that is not so, with 2 when it was asked wrongly.
 */
import { parseArgs } from 'node:util'
import { abortWhenInterrupted } from '../chaos/interrupt.ts'
import { printKills } from './print-kills.ts'
import { runKills } from './run-kills.ts'

const USAGE = 'npm run test:kills -- [--agent 200] [--cups 50] [--seed 1] [--save-after 0]'
const LARGEST = 100_000

function readArguments() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { agent: text, cups: text, seed: text, 'save-after': text } })
  const { agent = '200', cups = '50', seed = '1', 'save-after': saveAfter = '0' } = values
  return { agentKills: number(agent), cupsKills: number(cups), seed: number(seed), saveAfterSeconds: number(saveAfter) }
}

function number(text: string): number {
  if (/^\d{1,6}$/.test(text) && Number(text) <= LARGEST) return Number(text)
  throw new Error(`"${text}" is no number up to ${LARGEST}`)
}

let options: ReturnType<typeof readArguments>
try {
  options = readArguments()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}. Use it so: ${USAGE}.`)
  process.exit(2)
}
const result = await runKills({
  ...options,
  signal: abortWhenInterrupted(),
  onProgress: (line) => process.stderr.write(`${line}\n`),
})
printKills(result)
process.exitCode = result.violations.length > 0 ? 1 : 0
