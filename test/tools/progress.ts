/**
 * The reporter of `npm test`: Vitest's own, and a line of progress with layers, passed and failed tests and the time
 * left. A terminal shows one line and the failures; other outputs get all files and a line of progress each 30 s.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolsDirectory } from '@platen/deploy/install/paths.mjs'
import { DefaultReporter, type TestCase, type TestModule, type TestSpecification } from 'vitest/node'

const INTERVAL_MS = { terminal: 1_000, other: 30_000 }
/** Durations of the files in earlier runs, in milliseconds by path. */
const DURATIONS = join(toolsDirectory, 'test-durations.json')
/** The time of a file that never ran here. */
const UNKNOWN_MS = 1_000
/** A smaller part of the work says little about the rest. */
const ESTIMATED_FROM = 0.05
const ERASED_LINE = '\r\x1b[2K'

export interface Layer {
  name: string
  files: number
  done: number
}

export interface Progress {
  layers: Layer[]
  passed: number
  failed: number
  elapsedMs: number
  /** From 0 to 1, by the durations of earlier runs. */
  doneShare: number
}

/**
 * @returns for example `world 34/81 · edge 0/53 · 1204 passed, 0 failed · about 2:40 left`. Complete layers are left
 *   out.
 */
function formatProgress({ layers, passed, failed, elapsedMs, doneShare }: Progress): string {
  const open = layers
    .filter(({ files, done }) => done < files)
    .map(({ name, files, done }) => `${name} ${done}/${files}`)
  const left = (elapsedMs / doneShare) * (1 - doneShare)
  return [
    ...open,
    `${passed} passed, ${failed} failed`,
    doneShare < ESTIMATED_FROM ? 'estimating the time left' : `about ${formatTime(left)} left`,
  ].join(' · ')
}

/** @returns minutes and seconds, `2:40`. */
function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export default class ProgressReporter extends DefaultReporter {
  private readonly layers = new Map<string, Layer>()
  private readonly counts = { passed: 0, failed: 0 }
  private readonly durations = readDurations()
  private readonly startedAtMs = performance.now()
  private workMs = 0
  private doneMs = 0
  private timer: NodeJS.Timeout | undefined

  constructor() {
    super({ summary: false })
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications)
    for (const { project, moduleId } of specifications) {
      const layer = this.layers.get(project.name) ?? { name: project.name, files: 0, done: 0 }
      this.layers.set(project.name, { ...layer, files: layer.files + 1 })
      this.workMs += this.getExpectedMs(moduleId)
    }
    this.timer = setInterval(() => this.show(), this.isTTY ? INTERVAL_MS.terminal : INTERVAL_MS.other)
  }

  override onTestCaseResult(test: TestCase): void {
    super.onTestCaseResult(test)
    const { state } = test.result()
    if (state === 'passed' || state === 'failed') this.counts[state]++
  }

  override onTestModuleEnd(module: TestModule): void {
    this.erase()
    if (!this.isTTY || module.state() === 'failed') super.onTestModuleEnd(module)
    const layer = this.layers.get(module.project.name)
    if (layer) layer.done++
    this.doneMs += this.getExpectedMs(module.moduleId)
    this.durations[this.relative(module.moduleId)] = Math.round(module.diagnostic().duration)
    if (this.isTTY) this.show()
  }

  override onTestRunEnd(...end: Parameters<DefaultReporter['onTestRunEnd']>): void {
    clearInterval(this.timer)
    this.erase()
    super.onTestRunEnd(...end)
    mkdirSync(toolsDirectory, { recursive: true })
    writeFileSync(DURATIONS, JSON.stringify(this.durations))
  }

  private getExpectedMs(moduleId: string): number {
    return this.durations[this.relative(moduleId)] ?? UNKNOWN_MS
  }

  private show(): void {
    const elapsedMs = performance.now() - this.startedAtMs
    const doneShare = this.workMs === 0 ? 1 : this.doneMs / this.workMs
    const line = formatProgress({ layers: [...this.layers.values()], ...this.counts, elapsedMs, doneShare })
    // A longer line would wrap, and only its last part could be erased.
    process.stdout.write(this.isTTY ? ERASED_LINE + line.slice(0, (process.stdout.columns || 80) - 1) : `${line}\n`)
  }

  private erase(): void {
    if (this.isTTY) process.stdout.write(ERASED_LINE)
  }
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8'))
  } catch {
    return {}
  }
}
