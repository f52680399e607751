import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useLive } from '../../api/live.tsx'
import { sendSignedOut } from '../../api/transport.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'
import { isNotFound } from '../../ui/not-here.tsx'

/** Finds any id among the organizations and modes of the user. */
export function GoPage() {
  const { id } = useParams({ from: '/plain/go/$id' })
  const { session, mode } = useLive()
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ['locate', id],
    queryFn: () => sendSignedOut((api) => api.GET('/account/locate/{id}', { params: { path: { id } } })),
  })
  const found = query.data
  useEffect(() => {
    if (!found) return
    const url = new URL(`/app/${found.mode}/${found.path}`, location.origin)
    if (session.organizations.length > 1) url.searchParams.set('org', found.organizationId)
    void navigate({ href: url.pathname + url.search, replace: true })
  }, [found, session, navigate])
  return (
    <>
      <PageHeader title="Find an id" isLive={false} />
      <div className="p-4">
        {isNotFound(query.error) ? (
          <Empty title={`Nothing was found for ${id}`}>
            <p className="mb-3">
              Nothing that you can see has this id. It was deleted, or it belongs to an organization of others.
            </p>
            <Link to="/$mode/jobs" params={{ mode }} search={{ state: 'all' }} className="button">
              All jobs
            </Link>
          </Empty>
        ) : query.isError ? (
          <ErrorPanel title={`${id} could not be searched.`} error={query.error} onRetry={() => query.refetch()} />
        ) : (
          <Loading label={`Looking for ${id} …`} />
        )}
      </div>
    </>
  )
}
