import { usePermissions } from '../../api/permissions.ts';
import { PageFrame } from '../../frame/page-frame.tsx';
import { texts } from '../../texts/texts.ts';
import { CheckpointPanel } from './checkpoint-panel.tsx';
import { HoldPanel } from './hold-panel.tsx';
import { VerificationPanel } from './verification-panel.tsx';

/** Whether the whole log is what was signed, how far witnesses have signed it, and its legal holds. */
export function IntegrityPage() {
  const mayChange = usePermissions().may('audit:write');
  return (
    <PageFrame title={texts.audit.integrity}>
      <div className="panels">
        <CheckpointPanel />
        <VerificationPanel />
        <HoldPanel mayChange={mayChange} />
      </div>
    </PageFrame>
  );
}
