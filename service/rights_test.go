package service

import (
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func TestEveryCallHasRights(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, file := range []protoreflect.FileDescriptor{v1.File_warledger_v1_game_service_proto,
		v1.File_warledger_v1_catalog_service_proto, v1.File_warledger_v1_access_service_proto,
		v1.File_warledger_v1_history_service_proto, v1.File_warledger_v1_checkpoint_service_proto,
		v1.File_warledger_v1_deadline_service_proto, v1.File_warledger_v1_notification_service_proto,
		v1.File_warledger_v1_computer_service_proto, v1.File_warledger_v1_talk_service_proto,
		v1.File_warledger_v1_keyring_service_proto} {
		for i := range file.Services().Len() {
			svc := file.Services().Get(i)
			for j := range svc.Methods().Len() {
				name := "/" + string(svc.FullName()) + "/" + string(svc.Methods().Get(j).Name())
				known[name] = true
				if c, ok := calls[name]; !ok || c.cost < 1 {
					t.Errorf("%s has no line in the table of calls, or costs nothing", name)
				}
			}
		}
	}
	for name := range calls {
		if !known[name] {
			t.Errorf("the table of calls has %s, which is no call", name)
		}
	}
}
