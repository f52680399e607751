import { useLive } from '../../../api/live.tsx'
import { OwnInvitations } from '../../../shell/own-invitations.tsx'
import { SettingsHeader } from '../../../shell/settings-header.tsx'
import { Section } from '../../../ui/section.tsx'

export function InvitationsPage() {
  const { email } = useLive().session.user
  return (
    <>
      <SettingsHeader title="Invitations" />
      <div className="max-w-2xl p-4">
        <Section title="Your invitations">
          <OwnInvitations />
          <p className="mt-3 text-xs text-muted">Owners of other organizations invite you by the address {email}.</p>
        </Section>
      </div>
    </>
  )
}
