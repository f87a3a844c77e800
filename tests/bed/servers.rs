//! Every server and tool can be had. `make servers` runs this alone, so that a log shows what is built and how long it takes.

use crate::bed::registry::Release;
use crate::bed::{go, java};

#[test]
fn every_server_and_tool_is_in_the_cache() {
    let kubernetes = go::kubernetes();
    let built = [
        kubernetes.apiserver,
        kubernetes.controller_manager,
        kubernetes.kubectl,
        go::etcd(),
        go::helm(),
        go::kstatus(),
    ];
    let apicurio = [Release::V3_3_3, Release::V3_0_9].map(java::apicurio);
    for file in built.iter().chain(apicurio.iter().flat_map(|it| [&it.java, &it.jar])) {
        assert!(file.is_file(), "{} is missing", file.display());
    }
}
