import { OwnInvitations } from './own-invitations.tsx'
import { SignOutButton } from './sign-out-button.tsx'

export function NoOrganization({ email }: { email: string }) {
  return (
    <main className="mx-auto flex max-w-md flex-col gap-4 p-8">
      <h1 className="text-xl font-semibold">No organization</h1>
      <p>{email} is not a member of an organization. Accept an invitation, or ask an owner for one.</p>
      <OwnInvitations />
      <div>
        <SignOutButton />
      </div>
    </main>
  )
}
