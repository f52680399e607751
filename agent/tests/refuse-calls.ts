/** A file system that refuses calls, such as a shared folder of a virtual machine. */
import fs, { fstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

type Refusable = 'chmodSync' | 'fchownSync' | 'fsyncSync' | 'openSync' | 'renameSync' | 'rmSync' | 'writeFileSync'

const toError = (code: string, call: string) => Object.assign(new Error(`${code}: refused, ${call}`), { code })

/**
 * Makes a call fail until the end of the test.
 *
 * @param isRefused gets the parameters of the call. Default: always.
 * @returns a function that ends it earlier.
 */
export function refuseCall(
  name: Refusable,
  code: string,
  isRefused: (...parameters: unknown[]) => boolean = () => true,
): () => void {
  const original = fs[name]
  const refusing = (...parameters: unknown[]): unknown => {
    if (isRefused(...parameters)) throw toError(code, name)
    return Reflect.apply(original, fs, parameters)
  }
  const replace = (call: unknown) => {
    Object.assign(fs, { [name]: call })
    syncBuiltinESMExports()
  }
  replace(refusing)
  const end = () => replace(original)
  onTestFinished(end)
  return end
}

/** Directories cannot be synced until the end of the test. */
export async function refuseDirectorySync(code: string): Promise<void> {
  const isDirectory = (fd: unknown) => fstatSync(fd as number).isDirectory()
  refuseCall('fsyncSync', code, isDirectory)
  const handle = await open('.')
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const { sync } = prototype
  prototype.sync = async function () {
    if (isDirectory(this.fd)) throw toError(code, 'fsync')
    await sync.call(this)
  }
  onTestFinished(() => {
    prototype.sync = sync
  })
}
