import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { Button } from '../ui/button.tsx'

const REFRESH_MS = 5 * 60_000

/** The build of the page, which the gateway served together with its first session. */
let loadedBuild: string | undefined

/** Offers a reload when the gateway serves another build. Refreshes the session, also when the page is shown again. */
export function UpdateNotice() {
  const { data: session } = useQuery({
    ...sessionQuery,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
  })
  loadedBuild ??= session?.build
  if (session?.build === loadedBuild) return null
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 border-b bg-raised px-4 py-2 text-sm">
      A new version of the dashboard is available.
      <Button className="min-h-7" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}
