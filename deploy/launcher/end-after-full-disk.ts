/**
 * Ends nats-server when the disk was full and has space again, so that its supervisor restarts it. After a failed write
 * its streams can hang or refuse all messages until a restart (seen with 2.9; later versions refuse messages by
 * design).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess } from './running-process.ts'

const POLL_MS = 250

/** @returns the process, whose `ended` names this reason. */
export function endAfterFullDisk<Process extends RunningProcess>(
  running: Process,
  isDiskFull: () => Promise<boolean>,
): Process {
  let hasEnded = false
  let isStopped = false
  const ended = running.ended.then((how) => {
    hasEnded = true
    return isStopped ? 'stopped after a full disk' : how
  })
  const watch = async () => {
    let wasFull = false
    for (; !hasEnded && !isStopped; await sleep(POLL_MS)) {
      const isFull = await isDiskFull()
      isStopped = wasFull && !isFull
      wasFull = isFull
    }
    if (isStopped) await running.stop()
  }
  void watch()
  return { ...running, ended }
}
