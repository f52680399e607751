import { OwnInvitations } from '../../shell/own-invitations.tsx'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { Section } from '../../ui/section.tsx'

export function InvitationsPage() {
  return (
    <>
      <SettingsHeader title="Invitations" />
      <div className="max-w-2xl p-4">
        <Section title="Your invitations">
          <OwnInvitations />
        </Section>
      </div>
    </>
  )
}
