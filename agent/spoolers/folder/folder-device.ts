/**
 * A printer that stores each document unchanged as a file of a directory. The complete document is on disk under a
 * hidden name before the job counts as begun, and one renaming makes it visible. So after a crash a hidden file proves
 * that nothing is visible yet.
 */

import { constants } from 'node:fs'
import { access, copyFile, lstat, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DISK_FULL } from '../../disk.ts'
import { getCode } from '../../disk-errors.ts'
import { syncOnDisk } from '../../sync-on-disk.ts'
import { ignoredOption } from '../ignored-option.ts'
import type { NetworkPrinter } from '../network/config.ts'
import { COMPLETED, type Device, type FinalState, NothingSent, type Printing } from '../network/device.ts'
import type { NetworkJob } from '../network/job-store.ts'
import { PDF_AND_RAW } from '../raw-documents.ts'
import { DEFAULT_FILE_NAME, toFileName } from './file-name.ts'

/** Files of one name. Later files have the id of their job in their name. */
const NUMBERS_MAX = 999

const UNUSABLE = 'The folder does not exist, or the user of the agent may not write to it.'

/** @param printer has a `file:` URI. */
export function createFolderDevice({ name, uri, description = '', fileName }: NetworkPrinter): Device {
  const dir = fileURLToPath(uri)
  const getHidden = ({ id }: NetworkJob) => join(dir, `.platen-${id}`)

  /** The file can be read by everybody who can read the directory. */
  async function writeHidden(file: string, hidden: string): Promise<void> {
    try {
      await rm(hidden, { force: true })
      // Follows no link that another user of the directory has made.
      await copyFile(file, hidden, constants.COPYFILE_EXCL)
      await setMode(hidden, (await stat(dir)).mode & 0o666)
      await syncOnDisk(hidden)
      await syncOnDisk(dir)
    } catch (error) {
      await rm(hidden, { force: true }).catch(() => undefined)
      throw error
    }
  }

  /** Renames to the first free name. An empty file reserves the name, because a renaming replaces files. */
  async function publish(job: NetworkJob, { begin, signal }: Printing): Promise<FinalState> {
    if (signal.aborted) await rm(getHidden(job), { force: true })
    signal.throwIfAborted()
    await retryLater(async () => {
      for (const candidate of listNames(job, fileName)) {
        const path = join(dir, candidate)
        if (await lstat(path).catch(() => undefined)) continue
        await begin(candidate)
        if (!(await reserve(path))) continue
        await rename(getHidden(job), path).catch(async (error: unknown) => {
          await rm(path, { force: true })
          throw error
        })
        return
      }
      throw new Error('no name is free')
    })
    await syncOnDisk(dir)
    return COMPLETED
  }

  async function check(): Promise<void> {
    await access(join(dir, '.'), constants.W_OK | constants.X_OK).catch(() => {
      throw new Error(UNUSABLE)
    })
  }

  return {
    async printer() {
      const isUsable = await check().then(
        () => true,
        () => false,
      )
      return {
        ...{ osName: name, name, description, isDefault: false, stateReasons: [] },
        state: isUsable ? 'online' : 'offline',
        stateDetail: isUsable ? '' : UNUSABLE,
        capabilities: { copies: 1, nup: [1], formats: PDF_AND_RAW },
      }
    },

    check,

    async accept({ options, qty }) {
      const ignored = Object.entries({ ...options, ...(qty > 1 && { qty }) })
      return ignored.map(([option, value]) =>
        ignoredOption(option, value, 'a folder stores the document unchanged, once'),
      )
    },

    async print(job, printing) {
      await retryLater(() => writeHidden(printing.file, getHidden(job)))
      await printing.begin()
      return await publish(job, printing)
    },

    async resume(job, printing) {
      const path = join(dir, job.deviceJob ?? '')
      const found = await lstat(path).catch(() => undefined)
      const isEmpty = found?.size === 0
      // Without both files it is unknown whether a reader of the directory has taken the document, or the directory is
      // not mounted.
      if (!(await lstat(getHidden(job)).catch(() => undefined)))
        return found?.isFile() && !isEmpty ? COMPLETED : undefined
      if (found?.isFile() && isEmpty) await rm(path)
      return await publish(job, printing)
    },
  }
}

function* listNames(job: NetworkJob, template = DEFAULT_FILE_NAME): Generator<string> {
  const stem = toFileName(template, job, new Date())
  const ending = job.contentType.startsWith('pdf_') ? '.pdf' : '.raw'
  yield `${stem}${ending}`
  for (let number = 2; number <= NUMBERS_MAX; number++) yield `${stem} (${number})${ending}`
  yield `${stem} ${job.id}${ending}`
}

/** @returns false if the name is used. */
async function reserve(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx')
    await handle.close()
    return true
  } catch (error) {
    if (getCode(error) === 'EEXIST') return false
    throw error
  }
}

/** @throws NothingSent with the cause, without paths. */
async function retryLater(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const code = getCode(error)
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new NothingSent('The disk with the folder is full. Free some space.', [DISK_FULL])
    throw new NothingSent(`The document cannot be written to the folder${code && ` (${code})`}. ${UNUSABLE}`)
  }
}

/**
 * Sets the mode of the opened file, because another user of the directory can replace its name by a link. Not every
 * file system has modes.
 */
async function setMode(path: string, mode: number): Promise<void> {
  const file = await open(path, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    await file.chmod(mode).catch(() => undefined)
  } finally {
    await file.close()
  }
}
