import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLive } from '../../api/live.tsx'
import { destinationQuery } from '../../api/queries.ts'

/** The name of a destination. A deleted one has its id alone. */
export function DestinationLink({ id }: { id: string }) {
  const live = useLive()
  const { data, isError } = useQuery({ ...destinationQuery(live, id), refetchInterval: false })
  if (isError) return <span className="id">{id}</span>
  return (
    <Link
      to="/$mode/destinations/$destinationId"
      params={{ mode: live.mode, destinationId: id }}
      className="hover:underline"
    >
      {data?.name ?? '…'}
    </Link>
  )
}
