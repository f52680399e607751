/** Prints the durations of test files, and finds files above the limit of their layer. */
import { relative } from 'node:path'
import type { Report } from './run-vitest.ts'

const SHOWN_FILES = 20

/** Limit for one file. A longer file starts a server, waits for real time, or belongs to a command. */
const BUDGET_MS = 40_000
const LAYERS_WITH_BUDGET = ['tables', 'world', 'api']

/** Layers by part of the path. The first match applies. */
const LAYERS = ['tables', 'world', 'edge', 'api', 'history', 'shipped', 'smoke', 'agent', 'clients'] as const

const root = new URL('../..', import.meta.url).pathname

export function printTimes(report: Report): void {
  const files = readTimes(report)
  console.log('\nSlowest files:')
  for (const { path, ms } of files.slice(0, SHOWN_FILES)) console.log(`${seconds(ms)}  ${path}`)
  console.log('\nTime by layer, of all workers:')
  for (const [layer, ofLayer] of Map.groupBy(files, ({ path }) => getLayer(path)))
    console.log(`${seconds(ofLayer.reduce((sum, { ms }) => sum + ms, 0))}  ${layer}, ${ofLayer.length} files`)
}

/** @returns one sentence per file. */
export function filesOverBudget(report: Report): string[] {
  return readTimes(report)
    .filter(({ path, ms }) => ms > BUDGET_MS && LAYERS_WITH_BUDGET.includes(getLayer(path)))
    .map(({ path, ms }) => `${path} took ${seconds(ms).trim()}: a file of this layer may take ${BUDGET_MS / 1000} s`)
}

function readTimes({ testResults }: Report): { path: string; ms: number }[] {
  return testResults
    .map(({ name, startTime, endTime }) => ({ path: relative(root, name), ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms)
}

function getLayer(path: string): string {
  const folders = path.split('/')
  return LAYERS.find((layer) => folders.includes(layer)) ?? 'tables'
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`
