import { useEffect, useRef, useState } from 'react'
import type { AuditEntry } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { type LoadPage, loadAll } from '../../api/use-pages.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { downloadJsonLines } from '../../ui/download.ts'

/** Downloads all entries that match the filter. Ends when the page is left. */
export function ExportButton({ load }: { load: LoadPage<AuditEntry> }) {
  const live = useLive()
  const [loaded, setLoaded] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const start = async () => {
    const { signal } = leaving.current
    setFailure(undefined)
    setLoaded(0)
    try {
      const { items: entries } = await loadAll(live, load, signal, setLoaded)
      downloadJsonLines('audit', entries)
      announce(`${entries.length} entries exported`)
    } catch (error) {
      if (!signal.aborted) setFailure((error as Error).message)
    } finally {
      setLoaded(undefined)
    }
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      {failure && <span className="text-sm text-error">{failure}</span>}
      <Button disabled={loaded !== undefined} onClick={start}>
        {loaded === undefined ? 'Export JSONL' : `${loaded} loaded …`}
      </Button>
    </span>
  )
}
