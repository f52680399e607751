/** A file system of its own for a test, which can fill it. Only root on Linux can mount one. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Prints why, once for each file of tests. */
export const canMount = tryMount()

const SIZE_BYTES = 64 * 1024 * 1024

/**
 * @param dir an existing directory, whose content is hidden until the end of the test. Default: a new one.
 * @returns the directory, and functions that leave no byte free and that free all again.
 */
export function mountSmallDisk({ dir = makeDirectory(), sizeBytes = SIZE_BYTES } = {}) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', dir])
  onTestFinished(() => void execFileSync('umount', ['--lazy', dir]))
  const filler = join(dir, 'filler')
  return {
    dir,

    fill(): void {
      for (const bytes of [1024 * 1024, 4096, 1]) while (append(filler, bytes));
    },

    free: () => rmSync(filler, { force: true }),
  }
}

function makeDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'platen-disk-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

/** @returns whether the disk had space. */
function append(path: string, bytes: number): boolean {
  try {
    appendFileSync(path, Buffer.alloc(bytes))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}

function tryMount(): boolean {
  try {
    // In a mount namespace that ends with the program.
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    console.log('tests on a full disk are skipped: only root on Linux can mount a tmpfs')
    return false
  }
}
