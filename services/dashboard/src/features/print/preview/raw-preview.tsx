import { useVirtualizer } from '@tanstack/react-virtual'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { toBase64 } from '../../../api/new-job.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { find, HEX_ROW_BYTES, PART_BYTES, splitLines, toHex, toNeedle, toText } from './raw-lines.ts'

const ROW_PIXELS = 16

interface RawPreviewProps {
  bytes: Uint8Array<ArrayBuffer>
  isHex: boolean
}

/** The bytes as text or in hexadecimal, in steps of 1 MB. */
export function RawPreview({ bytes, isHex }: RawPreviewProps) {
  const [part, setPart] = useState(0)
  const [found, setFound] = useState<number>()
  const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
  const shown = useMemo(() => bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES), [bytes, part])
  const onFound = (offset: number) => {
    setFound(offset)
    setPart(Math.floor(offset / PART_BYTES))
  }
  const copy = async () => {
    await copyText(await toBase64(shown))
    announce('Copied')
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Search bytes={bytes} isHex={isHex} found={found} onFound={onFound} />
        <Button onClick={copy}>{parts > 1 ? 'Copy this part as base64' : 'Copy as base64'}</Button>
      </div>
      <Rows
        key={`${part} ${isHex}`}
        part={shown}
        offset={part * PART_BYTES}
        isHex={isHex}
        found={found === undefined ? undefined : found - part * PART_BYTES}
      />
      {parts > 1 && (
        <div className="flex items-center gap-2 text-sm">
          <Button disabled={part === 0} onClick={() => setPart(part - 1)}>
            Previous MB
          </Button>
          MB {part + 1} of {parts}
          <Button disabled={part === parts - 1} onClick={() => setPart(part + 1)}>
            Next MB
          </Button>
        </div>
      )}
    </div>
  )
}

interface SearchProps extends RawPreviewProps {
  found: number | undefined
  onFound(offset: number): void
}

function Search({ bytes, isHex, found, onFound }: SearchProps) {
  const [query, setQuery] = useState('')
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const search = async (event: FormEvent) => {
    event.preventDefault()
    const needle = toNeedle(query, isHex)
    if (!needle) return announce(isHex ? 'Search for bytes such as 1b 40' : 'Nothing to search for')
    running.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    const next = await find(bytes, needle, found === undefined ? 0 : found + 1, signal)
    const offset = next === -1 && found !== undefined ? await find(bytes, needle, 0, signal) : next
    if (signal.aborted) return
    if (offset === -1) announce('Not found')
    else onFound(offset)
  }
  return (
    <form onSubmit={search} className="flex min-w-0 gap-2">
      <input
        className="input w-44 min-w-0 font-mono"
        aria-label={isHex ? 'Search for bytes' : 'Search for text'}
        placeholder={isHex ? '1b 40' : 'Search'}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <Button type="submit">Next</Button>
    </form>
  )
}

interface RowsProps {
  part: Uint8Array
  /** Offset of the part in the document. */
  offset: number
  isHex: boolean
  /** Offset in the part; may be outside of it. */
  found: number | undefined
}

function Rows({ part, offset, isHex, found }: RowsProps) {
  const ref = useRef<HTMLDivElement>(null)
  const starts = useMemo(() => (isHex ? undefined : splitLines(part)), [part, isHex])
  const count = starts ? starts.length - 1 : Math.ceil(part.length / HEX_ROW_BYTES)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => ref.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 10,
  })
  const isFound = found !== undefined && found >= 0 && found < part.length
  const foundRow = isFound ? (starts ? findRow(starts, found) : Math.floor(found / HEX_ROW_BYTES)) : undefined
  useEffect(() => {
    if (foundRow !== undefined) virtualizer.scrollToIndex(foundRow, { align: 'center' })
  }, [foundRow, virtualizer])
  return (
    <section
      ref={ref}
      className="code h-80 leading-4 whitespace-pre"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={isHex ? 'Bytes' : 'Text'}
      data-rows={count}
    >
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const from = starts ? (starts[index] ?? 0) : index * HEX_ROW_BYTES
          const row = part.subarray(from, starts ? starts[index + 1] : from + HEX_ROW_BYTES)
          const hex = starts ? undefined : toHex(row)
          return (
            <div
              key={index}
              className={`absolute top-0 left-0 flex min-w-full gap-4 ${index === foundRow ? 'bg-accent-soft' : ''}`}
              style={{ transform: `translateY(${start}px)`, height: ROW_PIXELS }}
            >
              <span className="shrink-0 text-muted select-none">{(offset + from).toString(16).padStart(8, '0')}</span>
              {hex ? (
                <>
                  <span className="w-[47ch] shrink-0">{hex.bytes}</span>
                  <span className="text-muted">{hex.characters}</span>
                </>
              ) : (
                <span>{toText(row)}</span>
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}

/** The last row that starts at the offset or before it. */
function findRow(starts: Uint32Array, offset: number): number {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
