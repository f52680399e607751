import { useNavigate } from '@tanstack/react-router'
import { useLive } from '../api/live.tsx'

/** Only for users of several organizations. */
export function OrganizationSwitch() {
  const { session, organization, mode } = useLive()
  const navigate = useNavigate()
  return (
    <select
      aria-label="Organization"
      className="input mt-1"
      value={organization.id}
      onChange={({ target }) => navigate({ to: '/$mode', params: { mode }, search: { org: target.value } })}
    >
      {session.organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
