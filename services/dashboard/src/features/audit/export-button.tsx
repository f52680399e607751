import { useEffect, useRef, useState } from 'react'
import type { AuditEntry } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { type LoadPage, loadAll } from '../../api/use-pages.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { type CsvColumns, downloadCsv } from '../../ui/download.ts'
import { describeAction } from './actions.ts'

/** What people read first, then what programs need. */
const COLUMNS: CsvColumns<AuditEntry> = {
  at: ({ at }) => at,
  actor: ({ actor }) => actor.name,
  description: describeAction,
  target_name: ({ targetName }) => targetName,
  mode: ({ mode }) => mode,
  outcome: ({ outcome }) => outcome,
  ip: ({ ip }) => ip,
  action: ({ action }) => action,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  target_id: ({ target }) => target,
  request_id: ({ requestId }) => requestId,
  id: ({ id }) => id,
}

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
      downloadCsv('audit', COLUMNS, entries)
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
        {loaded === undefined ? 'Export CSV' : `${loaded} loaded …`}
      </Button>
    </span>
  )
}
