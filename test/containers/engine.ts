/** The Docker engine that prepare.sh gets. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { identify, signalProcess } from '@platen/deploy/launcher/process-identity.ts'

/** The engine ends its containers first. */
const STOP_LIMIT_MS = 30_000
const CHECK_EVERY_MS = 50

export interface Engine {
  /** The images are there. Also a preparation that failed may have started an engine. */
  prepared: boolean
  /** For programs that use it. */
  environment: NodeJS.Dict<string>
  /** Ends the engine if it was started here. */
  end(): Promise<void>
}

/** @param images to have; those of images.env if there are none. */
export async function prepareEngine(images: string[] = []): Promise<Engine> {
  const child = spawn(join(import.meta.dirname, 'prepare.sh'), images, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const environment = parseEnv(lines)
  const pid = Number(environment.DOCKERD_PID)
  return { prepared: code === 0, environment, end: async () => (pid ? await endProcess(pid) : undefined) }
}

async function endProcess(pid: number): Promise<void> {
  const engine = identify(pid)
  if (!engine) return
  signalProcess(pid, engine, 'SIGTERM')
  const deadline = performance.now() + STOP_LIMIT_MS
  while (identify(pid) === engine && performance.now() < deadline) await sleep(CHECK_EVERY_MS)
  signalProcess(pid, engine, 'SIGKILL')
}
