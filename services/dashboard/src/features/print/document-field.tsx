import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import type { LocalDocument } from '../../api/new-job.ts'
import { Button } from '../../ui/button.tsx'

interface DropAreaProps {
  onDocument(document: LocalDocument): void
}

/** Takes one file, by a click or by dropping it. */
export function DropArea({ onDocument }: DropAreaProps) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const [error, setError] = useState<string>()
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > DOCUMENT_MAX_BYTES) return setError(`${file.name} is larger than 25 MB.`)
    if (file.size === 0) return setError(`${file.name} is empty.`)
    setError(undefined)
    onDocument({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void read(event.dataTransfer.files[0])
  }
  return (
    <div className="flex flex-col gap-1">
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        className={`flex cursor-pointer flex-col items-center gap-1 rounded-lg border-2 border-dashed p-5 text-center text-sm focus-within:border-accent ${
          isOver ? 'border-accent bg-accent-soft' : 'border-field'
        }`}
      >
        <FileUp size={20} aria-hidden className="text-muted" />
        <span className="font-medium">Drop a file here, or choose one</span>
        <span className="text-xs text-muted">A PDF, an image, or data for a label or receipt printer, up to 25 MB</span>
        <input
          id={id}
          type="file"
          className="sr-only"
          onChange={({ target }) => {
            void read(target.files?.[0])
            // The same file can be chosen again after a change.
            target.value = ''
          }}
        />
      </label>
      {error && (
        <p role="alert" className="text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** Pasted raw data. Escapes such as \x1b stand for control characters. */
export function PasteArea({ onDocument }: DropAreaProps) {
  const id = useId()
  const [text, setText] = useState('')
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        Raw data
      </label>
      <textarea
        id={id}
        className="input min-h-28 py-1.5 font-mono text-xs"
        spellCheck="false"
        placeholder={'^XA^FO50,50^ADN,36,20^FDHello^FS^XZ'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Button
          disabled={text === ''}
          onClick={() => onDocument({ name: 'pasted.bin', bytes: parseEscapes(text), isRaw: true })}
        >
          Use this data
        </Button>
        <span>
          <code>\x1b</code>, <code>\n</code> and <code>\\</code> stand for bytes.
        </span>
      </div>
    </div>
  )
}

const ESCAPES: Record<string, number> = { n: 10, r: 13, t: 9, '\\': 92 }

/** UTF-8, with the bytes of escapes. */
function parseEscapes(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const parts = text.split(/(\\x[0-9a-f]{2}|\\[nrt\\])/i).map((part, index) => {
    if (index % 2 === 0) return encoder.encode(part)
    const [, kind = ''] = part
    return Uint8Array.of(kind.toLowerCase() === 'x' ? Number.parseInt(part.slice(2), 16) : (ESCAPES[kind] ?? 0))
  })
  const bytes = new Uint8Array(parts.reduce((total, { length }) => total + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
