/** The word of a printer by its language, and what the printer has answered so far. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import { replaceFile } from '../../replace-file.ts'
import { createEscposWord, type EscposMemory } from './escpos.ts'
import { createPjlWord } from './pjl.ts'
import { createSbplWord } from './sbpl.ts'
import { createStarWord, type StarMemory } from './star.ts'
import { WORD_TIMINGS, type Word, type WordTimings } from './word.ts'
import { createZplWord } from './zpl.ts'

/** Stored for each printer: a printer that has answered once and is silent does not lack the word. */
interface Memory extends EscposMemory, StarMemory {
  language: RawLanguage
  /** ISO 8601 */
  answeredAt: string | undefined
}

export interface OpenWord {
  word: Word
  hasAnswered(): boolean
  /** Records an answer. @param hasIds the printer answers `GS ( H` with the id. */
  answered(hasIds?: boolean): void
}

/**
 * @param dir stores what printers have answered; undefined for nothing.
 * @param uri identifies the printer.
 */
export function openWord(
  language: RawLanguage,
  uri: string,
  dir: string | undefined,
  timings: WordTimings = WORD_TIMINGS,
): OpenWord {
  const path = dir && join(dir, `${createHash('sha256').update(uri).digest('hex')}.word.json`)
  const stored = path === undefined ? undefined : read(path)
  // Another language is another printer at this address.
  const memory: Memory = stored?.language === language ? stored : { language, answeredAt: undefined, hasIds: undefined }
  const store = () => {
    if (path === undefined || dir === undefined) return
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      replaceFile(path, JSON.stringify(memory))
    } catch {
      // The next start then asks the printer as if it were new.
    }
  }
  return {
    word: WORDS[language](memory, store, timings),
    hasAnswered: () => memory.answeredAt !== undefined,
    answered(hasIds = memory.hasIds) {
      if (memory.answeredAt && memory.hasIds === hasIds) return
      memory.answeredAt ??= new Date().toISOString()
      memory.hasIds = hasIds
      store()
    },
  }
}

const WORDS: Record<RawLanguage, (memory: Memory, learn: () => void, timings: WordTimings) => Word> = {
  zpl: (_memory, _learn, timings) => createZplWord(timings) as Word,
  escpos: createEscposWord,
  star: createStarWord,
  pjl: (_memory, _learn, timings) => createPjlWord(timings) as Word,
  sbpl: (_memory, _learn, timings) => createSbplWord(timings) as Word,
}

function read(path: string): Memory | undefined {
  try {
    const { language, answeredAt, hasIds } = JSON.parse(readFileSync(path, 'utf8'))
    return { language, answeredAt, hasIds }
  } catch {
    return undefined
  }
}
